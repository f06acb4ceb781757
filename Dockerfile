# The portal's image: the same for web and worker (docker-compose.yml).
FROM python:3.11-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 libmagic1 fonts-liberation \
    && rm -rf /var/lib/apt/lists/*

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 SILTFENCE_VAR=/var/lib/siltfence

WORKDIR /srv/siltfence
COPY requirements/runtime.txt requirements/runtime.txt
RUN pip install --no-cache-dir --require-hashes --no-deps -r requirements/runtime.txt

COPY . .
RUN useradd --system --uid 10001 siltfence \
    && install -d -o siltfence -g siltfence -m 750 /var/lib/siltfence
USER siltfence

EXPOSE 8000
CMD ["gunicorn", "portal.wsgi", "--workers", "2", "--no-control-socket", "--bind", "0.0.0.0:8000"]
