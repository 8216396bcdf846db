/** A call by somebody who says why. */
export const because = (reason: string): { headers: Record<string, string> } => ({
  headers: { 'read-reason': encodeURIComponent(reason) },
})
