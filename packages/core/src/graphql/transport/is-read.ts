/** Whether a method sends the document in the URL. `HEAD` has the headers of `GET` (RFC 9110 §9.3.2). */
export function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
