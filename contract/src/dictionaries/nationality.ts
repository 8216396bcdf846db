// Made by server/src/seed/make-nationality.ts from i18n-iso-countries (MIT). Change the maker, not this file.
import { tenantDictionary } from './dictionary.ts'

export const nationality = tenantDictionary(
  'nationality',
  '国籍/地区',
  'Nationality or region',
  `CHN|中国|China
   HKG|中国香港|Hong Kong, China
   MAC|中国澳门|Macao, China
   TWN|中国台湾|Taiwan, China
   ABW|阿鲁巴|Aruba
   AFG|阿富汗|Afghanistan
   AGO|安哥拉|Angola
   AIA|安圭拉|Anguilla
   ALA|奥兰|Åland Islands
   ALB|阿尔巴尼亚|Albania
   AND|安道尔|Andorra
   ARE|阿联酋|United Arab Emirates
   ARG|阿根廷|Argentina
   ARM|亚美尼亚|Armenia
   ASM|美属萨摩亚|American Samoa
   ATA|南极洲|Antarctica
   ATF|法属南部领地|French Southern Territories
   ATG|安提瓜和巴布达|Antigua and Barbuda
   AUS|澳大利亚|Australia
   AUT|奥地利|Austria
   AZE|阿塞拜疆|Azerbaijan
   BDI|布隆迪|Burundi
   BEL|比利时|Belgium
   BEN|贝宁|Benin
   BES|荷兰加勒比区|Bonaire, Sint Eustatius and Saba
   BFA|布基纳法索|Burkina Faso
   BGD|孟加拉国|Bangladesh
   BGR|保加利亚|Bulgaria
   BHR|巴林|Bahrain
   BHS|巴哈马|Bahamas
   BIH|波黑|Bosnia and Herzegovina
   BLM|圣巴泰勒米|Saint Barthélemy
   BLR|白俄罗斯|Belarus
   BLZ|伯利兹|Belize
   BMU|百慕大|Bermuda
   BOL|玻利维亚|Bolivia
   BRA|巴西|Brazil
   BRB|巴巴多斯|Barbados
   BRN|文莱|Brunei Darussalam
   BTN|不丹|Bhutan
   BVT|布韦岛|Bouvet Island
   BWA|博茨瓦纳|Botswana
   CAF|中非|Central African Republic
   CAN|加拿大|Canada
   CCK|科科斯（基林）群岛|Cocos (Keeling) Islands
   CHE|瑞士|Switzerland
   CHL|智利|Chile
   CIV|科特迪瓦|Côte d’Ivoire
   CMR|喀麦隆|Cameroon
   COD|刚果（金）|Democratic Republic of the Congo
   COG|刚果（布）|Republic of the Congo
   COK|库克群岛|Cook Islands
   COL|哥伦比亚|Colombia
   COM|科摩罗|Comoros
   CPV|佛得角|Cape Verde
   CRI|哥斯达黎加|Costa Rica
   CUB|古巴|Cuba
   CUW|库拉索|Curaçao
   CXR|圣诞岛|Christmas Island
   CYM|开曼群岛|Cayman Islands
   CYP|塞浦路斯|Cyprus
   CZE|捷克|Czech Republic
   DEU|德国|Germany
   DJI|吉布提|Djibouti
   DMA|多米尼克|Dominica
   DNK|丹麦|Denmark
   DOM|多米尼加|Dominican Republic
   DZA|阿尔及利亚|Algeria
   ECU|厄瓜多尔|Ecuador
   EGY|埃及|Egypt
   ERI|厄立特里亚|Eritrea
   ESH|阿拉伯撒哈拉民主共和国|Western Sahara
   ESP|西班牙|Spain
   EST|爱沙尼亚|Estonia
   ETH|埃塞俄比亚|Ethiopia
   FIN|芬兰|Finland
   FJI|斐济|Fiji
   FLK|福克兰群岛|Falkland Islands (Malvinas)
   FRA|法国|France
   FRO|法罗群岛|Faroe Islands
   FSM|密克罗尼西亚联邦|Micronesia, Federated States of
   GAB|加蓬|Gabon
   GBR|英国|United Kingdom
   GEO|格鲁吉亚|Georgia
   GGY|根西|Guernsey
   GHA|加纳|Ghana
   GIB|直布罗陀|Gibraltar
   GIN|几内亚|Guinea
   GLP|瓜德罗普|Guadeloupe
   GMB|冈比亚|Republic of The Gambia
   GNB|几内亚比绍|Guinea-Bissau
   GNQ|赤道几内亚|Equatorial Guinea
   GRC|希腊|Greece
   GRD|格林纳达|Grenada
   GRL|格陵兰|Greenland
   GTM|危地马拉|Guatemala
   GUF|法属圭亚那|French Guiana
   GUM|关岛|Guam
   GUY|圭亚那|Guyana
   HMD|赫德岛和麦克唐纳群岛|Heard Island and McDonald Islands
   HND|洪都拉斯|Honduras
   HRV|克罗地亚|Croatia
   HTI|海地|Haiti
   HUN|匈牙利|Hungary
   IDN|印尼|Indonesia
   IMN|马恩岛|Isle of Man
   IND|印度|India
   IOT|英属印度洋领地|British Indian Ocean Territory
   IRL|爱尔兰|Ireland
   IRN|伊朗|Islamic Republic of Iran
   IRQ|伊拉克|Iraq
   ISL|冰岛|Iceland
   ISR|以色列|Israel
   ITA|意大利|Italy
   JAM|牙买加|Jamaica
   JEY|泽西|Jersey
   JOR|约旦|Jordan
   JPN|日本|Japan
   KAZ|哈萨克斯坦|Kazakhstan
   KEN|肯尼亚|Kenya
   KGZ|吉尔吉斯斯坦|Kyrgyzstan
   KHM|柬埔寨|Cambodia
   KIR|基里巴斯|Kiribati
   KNA|圣基茨和尼维斯|Saint Kitts and Nevis
   KOR|韩国|South Korea
   KWT|科威特|Kuwait
   LAO|老挝|Lao People’s Democratic Republic
   LBN|黎巴嫩|Lebanon
   LBR|利比里亚|Liberia
   LBY|利比亚|Libya
   LCA|圣卢西亚|Saint Lucia
   LIE|列支敦士登|Liechtenstein
   LKA|斯里兰卡|Sri Lanka
   LSO|莱索托|Lesotho
   LTU|立陶宛|Lithuania
   LUX|卢森堡|Luxembourg
   LVA|拉脱维亚|Latvia
   MAF|法属圣马丁|Saint Martin (French part)
   MAR|摩洛哥|Morocco
   MCO|摩纳哥|Monaco
   MDA|摩尔多瓦|Moldova, Republic of
   MDG|马达加斯加|Madagascar
   MDV|马尔代夫|Maldives
   MEX|墨西哥|Mexico
   MHL|马绍尔群岛|Marshall Islands
   MKD|北马其顿|The Republic of North Macedonia
   MLI|马里|Mali
   MLT|马耳他|Malta
   MMR|缅甸|Myanmar
   MNE|黑山|Montenegro
   MNG|蒙古|Mongolia
   MNP|北马里亚纳群岛|Northern Mariana Islands
   MOZ|莫桑比克|Mozambique
   MRT|毛里塔尼亚|Mauritania
   MSR|蒙特塞拉特|Montserrat
   MTQ|马提尼克|Martinique
   MUS|毛里求斯|Mauritius
   MWI|马拉维|Malawi
   MYS|马来西亚|Malaysia
   MYT|马约特|Mayotte
   NAM|纳米比亚|Namibia
   NCL|新喀里多尼亚|New Caledonia
   NER|尼日尔|Niger
   NFK|诺福克岛|Norfolk Island
   NGA|尼日利亚|Nigeria
   NIC|尼加拉瓜|Nicaragua
   NIU|纽埃|Niue
   NLD|荷兰|Netherlands
   NOR|挪威|Norway
   NPL|尼泊尔|Nepal
   NRU|瑙鲁|Nauru
   NZL|新西兰|New Zealand
   OMN|阿曼|Oman
   PAK|巴基斯坦|Pakistan
   PAN|巴拿马|Panama
   PCN|皮特凯恩群岛|Pitcairn
   PER|秘鲁|Peru
   PHL|菲律宾|Philippines
   PLW|帕劳|Palau
   PNG|巴布亚新几内亚|Papua New Guinea
   POL|波兰|Poland
   PRI|波多黎各|Puerto Rico
   PRK|朝鲜|North Korea
   PRT|葡萄牙|Portugal
   PRY|巴拉圭|Paraguay
   PSE|巴勒斯坦|State of Palestine
   PYF|法属波利尼西亚|French Polynesia
   QAT|卡塔尔|Qatar
   REU|留尼汪|Reunion
   ROU|罗马尼亚|Romania
   RUS|俄罗斯|Russian Federation
   RWA|卢旺达|Rwanda
   SAU|沙特阿拉伯|Saudi Arabia
   SDN|苏丹|Sudan
   SEN|塞内加尔|Senegal
   SGP|新加坡|Singapore
   SGS|南乔治亚和南桑威奇群岛|South Georgia and the South Sandwich Islands
   SHN|圣赫勒拿、阿森松和特里斯坦-达库尼亚|Saint Helena
   SJM|斯瓦尔巴和扬马延|Svalbard and Jan Mayen
   SLB|所罗门群岛|Solomon Islands
   SLE|塞拉利昂|Sierra Leone
   SLV|萨尔瓦多|El Salvador
   SMR|圣马力诺|San Marino
   SOM|索马里|Somalia
   SPM|圣皮埃尔和密克隆|Saint Pierre and Miquelon
   SRB|塞尔维亚|Serbia
   SSD|南苏丹|South Sudan
   STP|圣多美和普林西比|Sao Tome and Principe
   SUR|苏里南|Suriname
   SVK|斯洛伐克|Slovakia
   SVN|斯洛文尼亚|Slovenia
   SWE|瑞典|Sweden
   SWZ|斯威士兰|Eswatini
   SXM|荷属圣马丁|Sint Maarten (Dutch part)
   SYC|塞舌尔|Seychelles
   SYR|叙利亚|Syrian Arab Republic
   TCA|特克斯和凯科斯群岛|Turks and Caicos Islands
   TCD|乍得|Chad
   TGO|多哥|Togo
   THA|泰国|Thailand
   TJK|塔吉克斯坦|Tajikistan
   TKL|托克劳|Tokelau
   TKM|土库曼斯坦|Turkmenistan
   TLS|东帝汶|Timor-Leste
   TON|汤加|Tonga
   TTO|特立尼达和多巴哥|Trinidad and Tobago
   TUN|突尼斯|Tunisia
   TUR|土耳其|Türkiye
   TUV|图瓦卢|Tuvalu
   TZA|坦桑尼亚|United Republic of Tanzania
   UGA|乌干达|Uganda
   UKR|乌克兰|Ukraine
   UMI|美国本土外小岛屿|United States Minor Outlying Islands
   URY|乌拉圭|Uruguay
   USA|美国|United States of America
   UZB|乌兹别克斯坦|Uzbekistan
   VAT|梵蒂冈|Holy See (Vatican City State)
   VCT|圣文森特和格林纳丁斯|Saint Vincent and the Grenadines
   VEN|委内瑞拉|Venezuela
   VGB|英属维尔京群岛|Virgin Islands, British
   VIR|美属维尔京群岛|Virgin Islands, U.S.
   VNM|越南|Vietnam
   VUT|瓦努阿图|Vanuatu
   WLF|瓦利斯和富图纳|Wallis and Futuna
   WSM|萨摩亚|Samoa
   YEM|也门|Yemen
   ZAF|南非|South Africa
   ZMB|赞比亚|Zambia
   ZWE|津巴布韦|Zimbabwe`,
  'ISO 3166-1 alpha-3',
)
