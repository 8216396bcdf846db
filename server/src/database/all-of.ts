/**
 * Waits for all of this work, also where some of it fails, and throws the first failure only then: nothing asks for more in a
 * transaction that was given up. Statements that need no answer of one another are sent at once, in this order.
 */
export async function allOf<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(work)
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return ended.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>
  }
}
