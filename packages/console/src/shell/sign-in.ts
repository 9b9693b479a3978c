/** A page of the server's own, which leads back to where somebody wanted to be. */
export function goToSignIn(): void {
  const back = encodeURIComponent(location.pathname + location.search);
  location.replace(`/operator/sign-in?return_to=${back}`);
}
