/** The first characters, in pinyin order, of the syllables that begin with each letter (no i, u, v). */
export const pinyinBoundaries: readonly string[] = [...'阿八嚓哒妸发旮哈讥咔垃呣拏噢妑七呥仨他屲夕丫帀']
