import './segments.css'

interface SegmentsProps<K extends string> {
  /** What is chosen between, for who hears the page. */
  readonly label: string
  readonly options: readonly { readonly key: K; readonly label: string }[]
  readonly value: K | undefined
  readonly onChange: (key: K) => void
}

/** A few ways to look at one thing, beside one another: one of them is pressed. */
export function Segments<K extends string>({ label, options, value, onChange }: SegmentsProps<K>) {
  return (
    <fieldset className="segments">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.key}
          type="button"
          className="button small"
          aria-pressed={option.key === value}
          onClick={() => onChange(option.key)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
