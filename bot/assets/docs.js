// Shows the API's document. Requests that are tried out carry what our own pages carry.
"use strict";

const place = document.getElementById("swagger");
const headers = JSON.parse(document.body.getAttribute("hx-headers") || "{}");

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  requestInterceptor(request) {
    Object.assign(request.headers, headers);
    return request;
  },
});
