/** A sheet, for what has not begun; with a plus where one can begin it from here. */
export const Sheet = ({ plus = false }: { plus?: boolean }) => (
  <svg className="empty-drawing" viewBox="0 0 120 84" width="120" height="84" aria-hidden="true">
    <rect x="26" y="14" width="68" height="58" rx="8" fill="var(--tint)" />
    <rect x="36" y="6" width="68" height="58" rx="8" fill="var(--card)" stroke="var(--line)" strokeWidth="1.5" />
    <circle cx="52" cy="24" r="7" fill="var(--tint)" />
    <path d="M65 21h28M65 28h18M46 42h48M46 51h34" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
    {plus && (
      <>
        <circle cx="98" cy="62" r="13" fill="var(--fill)" />
        <path d="M98 56v12M92 62h12" stroke="var(--on-fill)" strokeWidth="2.5" strokeLinecap="round" />
      </>
    )}
  </svg>
)

/** A glass over rows, for what was looked for and is not there. */
export const NotFound = () => (
  <svg className="empty-drawing" viewBox="0 0 120 84" width="120" height="84" aria-hidden="true">
    <path d="M20 24h80M20 44h58M20 64h68" stroke="var(--field)" strokeWidth="12" strokeLinecap="round" />
    <circle cx="66" cy="42" r="20" fill="var(--card)" stroke="var(--fill)" strokeWidth="4" />
    <path d="m81 57 14 14" stroke="var(--fill)" strokeWidth="6" strokeLinecap="round" />
    <path d="m59 35 14 14M73 35 59 49" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
  </svg>
)
