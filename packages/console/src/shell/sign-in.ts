/** Opens the server's sign-in page, which leads back to the current page. */
export function goToSignIn(): void {
  const back = encodeURIComponent(location.pathname + location.search);
  location.replace(`/operator/sign-in?return_to=${back}`);
}
