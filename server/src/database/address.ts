const noHost = 'socket.invalid'

/**
 * Changes parts of a PostgreSQL address. An address of a Unix socket has no host (`postgres://user@/name?host=/run`),
 * which URL does not take, so one stands in meanwhile.
 */
export function changeAddress(
  address: string,
  change: { user?: string; password?: string; database?: string },
): string {
  const url = new URL(address.replace(/@\//, `@${noHost}/`))
  if (change.user !== undefined) url.username = change.user
  if (change.password !== undefined) url.password = change.password
  if (change.database !== undefined) url.pathname = `/${change.database}`
  return url.toString().replace(`@${noHost}/`, '@/')
}

/** The database that an address names; `data_brain` where it names none. */
export function databaseOf(address: string): string {
  return decodeURIComponent(new URL(address.replace(/@\//, `@${noHost}/`)).pathname.slice(1)) || 'data_brain'
}
