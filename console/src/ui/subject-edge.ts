import type { CSSProperties } from 'react'

/** The edge of what belongs to a subject, in the subject's own colour: as light or as dark as the scheme needs to show it. */
export const subjectEdge = (color: string | null | undefined): CSSProperties | undefined =>
  color
    ? { borderInlineStartColor: `oklch(from ${color} clamp(var(--subject-least), l, var(--subject-most)) c h)` }
    : undefined
