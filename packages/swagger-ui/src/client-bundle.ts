// Generated from packages/swagger-ui/client/ by `npm run bundle`. Don't edit this file.
export const START = `"use strict";(()=>{addEventListener("DOMContentLoaded",()=>{let e=document.getElementById("reference"),{url:r="",oauth:t,redirect:n}=e.dataset,i=SwaggerUIBundle({domNode:e,url:r,deepLinking:!0,validatorUrl:null,displayRequestDuration:!0,...n===void 0?{}:{oauth2RedirectUrl:new URL(n,location.href).href}});if(t===void 0)return;let{clientId:d,scopes:o}=JSON.parse(t);i.initOAuth({clientId:d,scopes:o,usePkceWithAuthorizationCodeGrant:!0})});})();
`;
