from django.template import Library

from campaigns.marking_up import as_html

register = Library()
register.filter("marked_up", as_html)
