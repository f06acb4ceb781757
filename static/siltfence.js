/* Small helps; every page works without this file. */
"use strict";

(function () {
  // The summary of errors is read out first, wherever the page was before.
  function focusSummary(root) {
    const summary = root.querySelector(".error-summary");
    if (summary) {
      summary.focus();
    }
  }

  // A link of the summary moves the cursor into its field, also inside a group of choices.
  function followSummary(event) {
    const link = event.target.closest(".error-summary a[href^='#']");
    if (!link) {
      return;
    }
    const target = document.getElementById(link.getAttribute("href").slice(1));
    const control = target && (target.matches("input, select, textarea")
      ? target : target.querySelector("input:not([type=hidden]), select, textarea"));
    if (control) {
      event.preventDefault();
      control.focus();
      control.scrollIntoView({ block: "center" });
    }
  }

  // A form that is on its way says so; the server takes a second submit for the first.
  function showSending(event) {
    const form = event.target;
    if (event.defaultPrevented || (form.getAttribute("method") || "").toLowerCase() !== "post") {
      return;
    }
    if (form.dataset.sending) {
      event.preventDefault();
      return;
    }
    form.dataset.sending = "yes";
    window.setTimeout(endSending, 10000); // an answer that is a download leaves the page open
    const button = event.submitter;
    if (button && button.classList.contains("btn") && !button.classList.contains("btn-link")) {
      button.classList.add("is-sending");
      button.setAttribute("aria-disabled", "true");
    }
  }

  // Coming back by the back button, the form can be sent again.
  function endSending() {
    document.querySelectorAll("form[data-sending]").forEach(function (form) {
      delete form.dataset.sending;
    });
    document.querySelectorAll(".btn.is-sending").forEach(function (button) {
      button.classList.remove("is-sending");
      button.removeAttribute("aria-disabled");
    });
  }

  // On paper every date shows its count.
  function openDates() {
    document.querySelectorAll("details.date:not([open])").forEach(function (details) {
      details.open = true;
      details.dataset.closed = "yes";
    });
  }
  function closeDates() {
    document.querySelectorAll("details.date[data-closed]").forEach(function (details) {
      details.open = false;
      delete details.dataset.closed;
    });
  }

  // An address that leads to a part of the page (#calculator) takes the focus away once more.
  function focusSummaryAgain() {
    if (document.activeElement === document.body) {
      focusSummary(document);
    }
  }

  // Pages that are kept for hours without signal go when nobody is signed in any more.
  function forgetPages() {
    if (window.caches && !document.querySelector("form[action$='/logout/']")) {
      caches.delete("visit-pages").catch(function () { return false; });
    }
  }

  document.addEventListener("DOMContentLoaded", function () { focusSummary(document); });
  window.addEventListener("pageshow", focusSummaryAgain);
  document.addEventListener("DOMContentLoaded", forgetPages);
  document.addEventListener("htmx:afterSwap", function (event) { focusSummary(event.target); });
  document.addEventListener("click", followSummary);
  document.addEventListener("submit", showSending);
  window.addEventListener("pageshow", endSending);
  window.addEventListener("beforeprint", openDates);
  window.addEventListener("afterprint", closeDates);
})();
