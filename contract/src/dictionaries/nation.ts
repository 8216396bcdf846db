import { tenantDictionary, transcribedFrom } from './dictionary.ts'

export const nation = tenantDictionary(
  'nation',
  '民族',
  'Ethnic group',
  `01|汉族|Han
   02|蒙古族|Mongol
   03|回族|Hui
   04|藏族|Tibetan
   05|维吾尔族|Uygur
   06|苗族|Miao
   07|彝族|Yi
   08|壮族|Zhuang
   09|布依族|Bouyei
   10|朝鲜族|Korean
   11|满族|Manchu
   12|侗族|Dong
   13|瑶族|Yao
   14|白族|Bai
   15|土家族|Tujia
   16|哈尼族|Hani
   17|哈萨克族|Kazak
   18|傣族|Dai
   19|黎族|Li
   20|傈僳族|Lisu
   21|佤族|Va
   22|畲族|She
   23|高山族|Gaoshan
   24|拉祜族|Lahu
   25|水族|Sui
   26|东乡族|Dongxiang
   27|纳西族|Naxi
   28|景颇族|Jingpo
   29|柯尔克孜族|Kirgiz
   30|土族|Tu
   31|达斡尔族|Daur
   32|仫佬族|Mulao
   33|羌族|Qiang
   34|布朗族|Blang
   35|撒拉族|Salar
   36|毛南族|Maonan
   37|仡佬族|Gelao
   38|锡伯族|Xibe
   39|阿昌族|Achang
   40|普米族|Pumi
   41|塔吉克族|Tajik
   42|怒族|Nu
   43|乌孜别克族|Uzbek
   44|俄罗斯族|Russian
   45|鄂温克族|Ewenki
   46|德昂族|Deang
   47|保安族|Bonan
   48|裕固族|Yugur
   49|京族|Gin
   50|塔塔尔族|Tatar
   51|独龙族|Derung
   52|鄂伦春族|Oroqen
   53|赫哲族|Hezhen
   54|门巴族|Monba
   55|珞巴族|Lhoba
   56|基诺族|Jino
   81|穿青人|Chuanqing
   97|其他|Other
   98|外国血统中国籍人士|Chinese citizen of foreign descent`,
  transcribedFrom('GB/T 3304'),
)
