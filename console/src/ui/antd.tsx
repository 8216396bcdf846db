import type { ThemeConfig } from 'antd'
import { ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import { type ReactNode, useMemo } from 'react'
import { boot } from '../http/boot.ts'
import { useScreenClass } from './screen.ts'
import { useStore } from './store.ts'
import { densitySizes, lookStore, type ThemeLook } from './theme.ts'
import { useLanguage } from './words.ts'
import './antd.css'

// Where nothing moves, Ant Design's movements last a moment: without any, its drawers and dialogs lose the focus when they close.
const still = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches === true

const configs = { wide: new WeakMap<ThemeLook, ThemeConfig>(), narrow: new WeakMap<ThemeLook, ThemeConfig>() }

/**
 * Ant Design's tokens from the product's own, for a finger where the window is narrow. One object per look: a new
 * object would draw every control again.
 */
export function antdTheme(now: ThemeLook, narrow = false): ThemeConfig {
  const kept = configs[narrow ? 'narrow' : 'wide']
  const known = kept.get(now)
  if (known) return known
  const { made, density, tokens: c } = now
  const config: ThemeConfig = {
    // The key becomes a class on every element of Ant Design: it must not be one of the shell's.
    cssVar: { key: 'sc-vars' },
    hashed: false,
    token: {
      colorPrimary: c.fill,
      colorPrimaryHover: c.fillHover,
      colorPrimaryActive: c.fillActive,
      colorLink: c.link,
      colorLinkHover: c.linkHover,
      colorLinkActive: c.linkHover,
      colorInfo: c.link,
      colorPrimaryText: c.link,
      colorPrimaryTextHover: c.linkHover,
      colorPrimaryTextActive: c.linkHover,
      colorPrimaryBg: c.tint,
      colorPrimaryBgHover: c.tintHover,
      colorPrimaryBorderHover: c.link,
      colorInfoBg: c.tint,
      colorSuccess: c.success,
      colorWarning: c.warning,
      colorError: c.error,
      colorSuccessText: c.success,
      colorWarningText: c.warning,
      colorErrorText: c.error,
      colorSuccessHover: c.success,
      colorWarningHover: c.warning,
      colorErrorHover: c.errorHover,
      colorErrorTextHover: c.errorHover,
      colorErrorTextActive: c.error,
      colorSuccessBg: c.successTint,
      colorWarningBg: c.warningTint,
      colorErrorBg: c.errorTint,
      colorText: c.ink,
      colorTextHeading: c.ink,
      colorTextLabel: c.ink2,
      colorTextDescription: c.ink3,
      colorTextSecondary: c.ink2,
      colorTextTertiary: c.ink3,
      colorTextQuaternary: c.ink3,
      colorTextPlaceholder: c.ink3,
      colorIcon: c.ink2,
      colorIconHover: c.ink,
      colorTextDisabled: c.inkOff,
      colorTextLightSolid: c.onFill,
      colorBgContainer: c.card,
      colorBgLayout: c.page,
      colorBgElevated: c.raised,
      colorBgSpotlight: c.tip,
      colorBorder: c.edge,
      colorBorderDisabled: c.edge,
      colorBgContainerDisabled: c.field,
      colorBorderSecondary: c.split,
      colorSplit: c.split,
      colorFillAlter: c.field,
      controlItemBgHover: c.hover,
      controlItemBgActive: c.tint,
      controlItemBgActiveHover: c.tintHover,
      controlOutline: `${c.link}40`,
      controlOutlineWidth: 2,
      lineWidthFocus: 2,
      colorBgMask: 'var(--veil)',
      boxShadow: 'var(--sh3)',
      boxShadowSecondary: 'var(--sh2)',
      borderRadius: made.radius,
      fontSize: 14,
      controlHeight: narrow ? 44 : densitySizes[density].control,
      wireframe: false,
      fontFamily: 'inherit',
      motionDurationFast: still ? '1ms' : '80ms',
      motionDurationMid: still ? '1ms' : '140ms',
      motionDurationSlow: still ? '1ms' : '200ms',
    },
    components: {
      Modal: { borderRadiusLG: 14 },
      Tooltip: { colorTextLightSolid: '#ffffff' },
      Button: { primaryColor: c.onFill, dangerColor: c.card, defaultBorderColor: c.line },
      Tabs: {
        itemSelectedColor: c.link,
        itemColor: c.ink2,
        itemHoverColor: c.linkHover,
        itemActiveColor: c.link,
        inkBarColor: c.link,
      },
      Pagination: { itemActiveColor: c.link, itemActiveColorHover: c.linkHover },
      Segmented: { itemSelectedColor: c.ink, itemColor: c.ink2 },
      Steps: { colorPrimary: c.link },
      Switch: { colorTextQuaternary: c.edge, colorTextTertiary: c.edge },
    },
  }
  kept.set(now, config)
  return config
}

const csp = boot.nonce ? { nonce: boot.nonce } : undefined

// A few parts of the library measure scroll bars with a style element of their own and give it no nonce: the policy
// would block it, and say so on the page's console at every drawer.
const { nonce } = boot
if (nonce) {
  const create = document.createElement.bind(document)
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }) as typeof document.createElement
}
// Two Chinese characters on a button stay together: exact texts are part of the specification.
const button = { autoInsertSpace: false }
// A list stands in the dialog or page of its field: what is outside of a modal dialog is not there for those
// who hear the page, and what is outside of every part of the page is hard to come to.
const popups = (field?: HTMLElement): HTMLElement =>
  field?.closest<HTMLElement>('[role=dialog], dialog, main') ?? document.body

/** What every page with Ant Design controls stands in: locale, theme and the options the product relies on. */
export function AntdRoot({ children }: { children: ReactNode }) {
  const now = useStore(lookStore)
  const language = useLanguage()
  const narrow = useScreenClass() <= 1
  const theme = useMemo(() => antdTheme(now, narrow), [now, narrow])
  return (
    <ConfigProvider
      locale={language === 'zh' ? zhCN : enUS}
      theme={theme}
      csp={csp}
      button={button}
      getPopupContainer={popups}
      // As wide as its longest choice: a narrow box does not cut what it offers.
      popupMatchSelectWidth={false}
    >
      {children}
    </ConfigProvider>
  )
}
