/**
 * The file of a thread named `worker-…`, beside the file that starts it (`import.meta.url`): the bundle puts the threads
 * beside the server's own file, under the same name.
 */
export const threadOf = (name: string, beside: string): URL =>
  new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)
