# Images: web (also migrate and beat; no torch), worker (CPU), worker-gpu. See docs/deployment.md.
FROM python:3.11-slim AS base
# captum brings matplotlib, which wants a folder to write to.
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=/tmp/matplotlib PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
RUN useradd --create-home --uid 10001 peekaword \
    && install --directory --owner peekaword /app/var/media /app/var/classifiers /home/peekaword/.cache/huggingface
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE manage.py ./
COPY platform platform
COPY workers workers
COPY templates templates
COPY locale locale

FROM base AS web
RUN pip install --constraint constraints.txt --editable '.[backup,sentry]'
COPY static static
# Hashed, compressed static files; the key is used for nothing else.
RUN SECRET_KEY=build PEEKAWORD_VAR=/app/var HASHED_STATIC=true python manage.py collectstatic --no-input
USER peekaword
EXPOSE 8000

# torch for CPUs alone: 0.2 GB instead of 5.
FROM base AS worker
RUN pip install --constraint constraints.txt --extra-index-url https://download.pytorch.org/whl/cpu \
    --editable '.[workers,sentry]'
USER peekaword

# torch as PyPI has it, with CUDA.
FROM base AS worker-gpu
RUN pip install --constraint constraints.txt --editable '.[workers,sentry]'
USER peekaword
