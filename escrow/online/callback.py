"""Where the provider's signed messages come in."""

from __future__ import annotations

import logging

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal import clock

from . import booking, provider

__all__ = ["callback"]

logger = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def callback(request: HttpRequest) -> HttpResponse:
    """Take a message of the provider: its signature stands for a sign-in.

    200 once it is kept, also when it came before; 400 where it is not the provider's, and
    nothing is kept; 503 where it could not be kept now, so that the provider sends it again.
    """
    if not provider.is_on():
        raise Http404
    try:
        message = provider.read(request.body, request.headers.get("Stripe-Signature", ""))
    except provider.NotSigned:
        logger.warning("A message for online payment was not signed by the provider.")
        return HttpResponse("Not signed.\n", status=400, content_type="text/plain")
    try:
        event = booking.take(message, today=clock.today())
    except OperationalError:
        logger.warning("A message of the provider waits: the case is busy.")
        return HttpResponse("Busy. Send it again.\n", status=503, content_type="text/plain")
    return HttpResponse(f"{event.verdict}\n", content_type="text/plain")
