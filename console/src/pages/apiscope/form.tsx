import { AutoComplete } from 'antd'
import { useDeferredValue, useMemo } from 'react'
import type { ControlProps } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { useValue } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import { governedBy, prefixesOf, useKnownCalls } from './calls.ts'

/** A path that is chosen among the server's calls, or typed; below it, the calls that it governs. */
function PathControl({ form, name, ties, onChange, onBlur }: ControlProps) {
  const t = useT()
  const pick = useWords()
  const value = (useValue(form, name) as string | null) ?? ''
  const found = useKnownCalls()
  const options = useMemo(() => {
    const calls = found.data ?? []
    const paths = new Map<string, string>()
    // One path may have two methods: without one named, both are meant.
    for (const { path, summary, always } of calls) if (always !== 1 && !paths.has(path)) paths.set(path, pick(summary))
    const below = prefixesOf(calls).map((path) => [path, t('scope.below')] as const)
    return [...below, ...paths].map(([path, text]) => ({
      value: path,
      search: `${path} ${text}`.toLowerCase(),
      label: (
        <span className="call-option">
          <code>{path}</code> <span className="muted">{text}</span>
        </span>
      ),
    }))
  }, [found.data, pick, t])
  const typed = useDeferredValue(value)
  const governed = useMemo(() => governedBy(typed, found.data ?? []), [typed, found.data])
  return (
    <>
      <AutoComplete
        {...ties}
        className="ff-full"
        placeholder={t('scope.pathHelp')}
        options={options}
        showSearch={{
          filterOption: (text, option) =>
            option?.search.includes(
              text
                .trim()
                .toLowerCase()
                .replace(/^(get|post) /, ''),
            ) ?? false,
        }}
        popupMatchSelectWidth={480}
        value={value}
        onChange={(next: string) => onChange(next ?? '')}
        onBlur={onBlur}
      />
      {value !== '' && found.data && (
        <div className="governed">
          <p role="status" className={governed.length > 0 ? 'muted' : 'field-error'}>
            {governed.length > 0 ? t('scope.governs', { count: governed.length }) : t('scope.governsNone')}
          </p>
          {governed.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
            <ul tabIndex={0} aria-label={t('scope.governs', { count: governed.length })}>
              {governed.map(({ method, path, summary }) => (
                <li key={`${method} ${path}`}>
                  <code>
                    {method} {path}
                  </code>{' '}
                  {pick(summary)}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </>
  )
}

export const formParts: FormParts = { inputs: { scopePath: PathControl } }
