"""`manage.py bench`: what a page costs in a small city and in a large one."""
