import { Fragment } from 'react'
import { useT } from '../../ui/words.ts'

/** Short facts in one line: a dot stands between them, and is spoken as a comma. */
export function Facts({ texts }: { texts: readonly string[] }) {
  const t = useT()
  return (
    <p className="detail-facts">
      {texts.map((text, at) => (
        <Fragment key={text}>
          {at > 0 && (
            <>
              <i className="between" aria-hidden="true" />
              <span className="sr-only">{t('entity.separator')}</span>
            </>
          )}
          <span>{text}</span>
        </Fragment>
      ))}
    </p>
  )
}
