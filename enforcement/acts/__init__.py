"""The acts of enforcement as people do them: the act, its paper and its notices."""
