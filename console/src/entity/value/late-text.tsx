import './words.ts'

interface LateTextProps {
  readonly text: () => string
}

/** A json value in a list: the words for it are fetched when the first one is shown. */
export default function LateText({ text }: LateTextProps) {
  return text()
}
