import os

from django.core.wsgi import get_wsgi_application

from config.lingering import lingering

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = lingering(get_wsgi_application())
