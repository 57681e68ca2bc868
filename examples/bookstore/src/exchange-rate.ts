/** Replace this with a call to your bank. It runs once per page of books. */
export async function dollarsPerEuro(): Promise<number> {
  return Promise.resolve(1.1);
}
