// Draws the API's document. The key that is entered under "Authorize" stays in this browser, so that it is asked for once.
window.addEventListener("load", () => {
  SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#reference",
    deepLinking: true,
    persistAuthorization: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    filter: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
});
