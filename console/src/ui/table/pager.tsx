import { Suspense, useId } from 'react'
import { Icon } from '../icon.tsx'
import { useLanguage, useT } from '../words.ts'
import { chooseSize, PAGE_SIZES, useChosenSize } from './page-size.ts'
import './pager.css'
import { lazyPart } from '../lazy-part.tsx'

/** Milliseconds after which the first list has long been painted, and the offer is no part of its price. */
const QUIET = 3000
const SizeOffer = lazyPart(
  async () => {
    await new Promise((done) => setTimeout(done, QUIET))
    return import('./size-offer.tsx')
  },
  { optional: true },
)

interface PagerProps {
  readonly total: number
  readonly current: number
  readonly size: number
  readonly onPage: (current: number) => void
  readonly onSize: (size: number) => void
  /** Names it where another list with a pager of its own is on the page. */
  readonly label?: string
  /** The word by which its rows are counted, where it is not the usual one. */
  readonly unit?: string | undefined
  /** The pointer or the focus is on the way to the next page. */
  readonly onNear?: (current: number) => void
}

/** The page numbers to offer: the ends, the neighbours, and 0 for a gap. */
export function numbersOf(current: number, pages: number): number[] {
  const near = [1, current - 1, current, current + 1, pages].filter((n) => n >= 1 && n <= pages)
  const wanted = [...new Set(near)].sort((a, b) => a - b)
  return wanted.flatMap((n, i) => {
    const gap = n - (wanted[i - 1] ?? n - 1)
    return gap === 2 ? [n - 1, n] : gap > 2 ? [0, n] : [n]
  })
}

/** Where in a list one is, and the ways to elsewhere in it. */
export function Pager({ total, current, size, onPage, onSize, label, unit, onNear }: PagerProps) {
  const t = useT()
  const language = useLanguage()
  const sizeId = useId()
  const isOpen = useChosenSize() === undefined
  const pages = Math.max(1, Math.ceil(total / size))
  const number = new Intl.NumberFormat(language)
  // What is empty says so itself.
  if (total === 0) return null
  const near = (page: number) => ({ onMouseEnter: () => onNear?.(page), onFocus: () => onNear?.(page) })
  const resize = (next: number) => {
    chooseSize(next)
    onSize(next)
  }
  const step = (page: number, label: string, icon: string) => (
    <button
      type="button"
      className="pager-step"
      aria-label={label}
      disabled={page < 1 || page > pages}
      onClick={() => onPage(page)}
      {...near(page)}
    >
      <Icon name={icon} size={16} />
    </button>
  )
  return (
    <nav className="pager" aria-label={label ?? t('table.pager')}>
      <span className="pager-range">
        {t(pages === 1 ? 'table.total' : 'table.range', {
          from: number.format((current - 1) * size + 1),
          to: number.format(Math.min(current * size, total)),
          total: number.format(total),
          unit,
        })}
      </span>
      {total > PAGE_SIZES[0] && (
        <>
          {isOpen && size === PAGE_SIZES[0] && (
            <Suspense fallback={null}>
              <SizeOffer unit={unit} onAnswer={resize} />
            </Suspense>
          )}
          {pages > 1 && (
            <span className="pager-pages">
              {step(current - 1, t('table.previous'), 'chevron-left')}
              {numbersOf(current, pages).map((page, i) =>
                page === 0 ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing but its place
                  <span key={`gap${i}`} className="pager-gap" aria-hidden="true">
                    …
                  </span>
                ) : (
                  <button
                    key={page}
                    type="button"
                    className="pager-page"
                    aria-label={t('table.page', { page: number.format(page) })}
                    aria-current={page === current ? 'page' : undefined}
                    onClick={() => onPage(page)}
                    {...near(page)}
                  >
                    {number.format(page)}
                  </button>
                ),
              )}
              {step(current + 1, t('table.next'), 'chevron-right')}
            </span>
          )}
          <span className="pager-size">
            <label htmlFor={sizeId} className="sr-only">
              {t('table.size')}
            </label>
            <select id={sizeId} value={size} onChange={(event) => resize(Number(event.target.value))}>
              {PAGE_SIZES.map((option) => (
                <option key={option} value={option}>
                  {t('table.perPage', { size: option, unit })}
                </option>
              ))}
            </select>
          </span>
          {pages > 5 && (
            <form
              className="pager-jump"
              onSubmit={(event) => {
                event.preventDefault()
                const wanted = Number(new FormData(event.currentTarget).get('page'))
                if (Number.isInteger(wanted) && wanted >= 1) onPage(Math.min(wanted, pages))
                event.currentTarget.reset()
              }}
            >
              <label>
                {t('table.jump')}
                <input name="page" inputMode="numeric" autoComplete="off" size={4} />
              </label>
            </form>
          )}
        </>
      )}
    </nav>
  )
}
