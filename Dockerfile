FROM python:3.11-slim AS base
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1
RUN useradd --create-home peekaword
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY platform platform
COPY workers workers

FROM base AS web
RUN pip install --constraint constraints.txt --editable .
COPY manage.py ./
COPY templates templates
COPY static static
# Hashed, compressed static files; the key is used for nothing else.
RUN SECRET_KEY=build PEEKAWORD_VAR=/app/var HASHED_STATIC=true python manage.py collectstatic --no-input && chown -R peekaword /app/var
USER peekaword
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--pythonpath", "platform", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", "--keep-alive", "30"]

FROM base AS worker
RUN pip install --constraint constraints.txt --editable '.[workers]'
COPY manage.py ./
COPY templates templates
RUN mkdir -p /app/var && chown -R peekaword /app/var
USER peekaword
CMD ["celery", "--app", "config", "worker", "--loglevel", "INFO", "--concurrency", "1"]
