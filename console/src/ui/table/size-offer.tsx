import { useLayoutEffect, useRef, useState } from 'react'
import { sizeOfferWords } from '../../locales/size-offer.ts'
import { addWords, useT } from '../words.ts'
import { PAGE_SIZES } from './page-size.ts'
import './size-offer.css'

addWords(sizeOfferWords)

/** Room that the offer needs between the range and the page numbers: without it the pager would wrap and move. */
const WIDTH = 320
const [few, many] = PAGE_SIZES

/** Whether the window shows more rows than a page has, and the pager has room to say so. */
function isRoomy(pager: HTMLElement): boolean {
  const row = pager.parentElement?.querySelector('tbody tr[data-key]')
  const top = row?.parentElement?.getBoundingClientRect().top
  const [range, pages] = [pager.querySelector('.pager-range'), pager.querySelector('.pager-pages')]
  if (!row || top === undefined || !range || !pages || pager.closest('dialog, [role=dialog]')) return false
  const full = top + (few + 1) * row.getBoundingClientRect().height + pager.getBoundingClientRect().height
  return full <= window.innerHeight && pages.getBoundingClientRect().left - range.getBoundingClientRect().right >= WIDTH
}

interface OfferProps {
  readonly unit: string | undefined
  readonly onAnswer: (size: number) => void
}

/** Offers the next page size where the window has room for it. Either answer is a choice, so it is asked once. */
export default function SizeOffer({ unit, onAnswer }: OfferProps) {
  const t = useT()
  const place = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)
  useLayoutEffect(() => {
    const look = () => setShown(isRoomy(place.current!.closest<HTMLElement>('.pager')!))
    look()
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  }, [])
  const answer = (size: number) => {
    // The buttons go: the focus stays at what they were about.
    place.current?.closest('.pager')?.querySelector('select')?.focus({ preventScroll: true })
    onAnswer(size)
  }
  return (
    <span ref={place} className="pager-offer" hidden={!shown}>
      {t('table.sizeOffer', { size: many, unit })}
      <button type="button" onClick={() => answer(many)}>
        {t('table.sizeYes')}
      </button>
      <button type="button" onClick={() => answer(few)}>
        {t('table.sizeNo', { size: few, unit })}
      </button>
    </span>
  )
}
