import { createElement, type SVGProps } from 'react'

interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]
}
interface DrawnProps extends SVGProps<SVGSVGElement> {
  size?: number
}

/**
 * Stands in for the icon package's own way to draw, which the build puts aside (vite.config.ts): that one can do much
 * that nobody asks of it here, weighs as much as a dozen icons, and comes before the first page.
 */
export default function drawIcon({ node }: IconData) {
  return ({ size = 24, ...rest }: DrawnProps) =>
    createElement(
      'svg',
      {
        ...{ width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor' },
        ...{ strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round', 'aria-hidden': true },
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
