import { Icon } from '../../ui/icon.tsx'
import { go, place } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import type { Orientation } from './page.tsx'

/** Turns the page to the other layout. */
export function LayoutButton({ to, onClick }: { to: Orientation; onClick: () => void }) {
  const t = useT()
  return (
    <button type="button" className="button" onClick={onClick}>
      <Icon name={to === 'horizontal' ? 'columns-3' : 'rows-3'} size={16} />
      {t(to === 'horizontal' ? 'dict.toHorizontal' : 'dict.toVertical')}
    </button>
  )
}

/** The layouts of the system dictionary have an address each; what is chosen and searched goes along. */
export function SystemSwitch({ to }: { to: Orientation }) {
  return (
    <LayoutButton
      to={to}
      onClick={() => {
        const query = place().query.toString()
        go(`/dict-${to}/index${query ? `?${query}` : ''}`)
      }}
    />
  )
}
