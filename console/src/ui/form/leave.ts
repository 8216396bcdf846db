import type { FocusEvent } from 'react'

/** Runs when the focus leaves all the inputs of a value, and not as it goes from one of them to the next. */
export const onLeave =
  (left: () => void) =>
  ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
    if (!currentTarget.contains(relatedTarget)) left()
  }
