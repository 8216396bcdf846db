import {
  choice,
  decimal,
  defineEntity,
  importOf,
  integer,
  remark,
  schoolId,
  text,
} from '@data-brain/contract/extension'

/** A title that a school's library holds, in so many copies. */
export const book = defineEntity({
  name: 'library_book',
  path: 'ext-library/book',
  label: { zh: '图书', en: 'Book' },
  measure: '种',
  ownership: 'school',
  title: 'title',
  fields: {
    schoolId,
    title: text('书名', 'Title', { required: true, max: 200 }),
    isbn: text('国际标准书号', 'ISBN', {
      max: 17,
      help: { zh: '13位，可带连字符', en: '13 digits, with or without hyphens' },
    }),
    callNo: text('索书号', 'Call number', { max: 40 }),
    shelf: choice('书架', 'Shelf', 'library_shelf'),
    copies: integer('册数', 'Copies', { required: true, min: 1, max: 9999, default: 1 }),
    price: decimal('定价', 'Price', { min: 0, max: 99_999, scale: 2 }),
    remark,
  },
  unique: [['schoolId', 'isbn']],
  taken: {
    isbn: {
      zh: '该学校已有此国际标准书号的图书，请修改其册数',
      en: 'The school already has the book of that ISBN: change its number of copies',
    },
  },
  list: ['title', 'isbn', 'callNo', 'shelf', 'copies', 'price', 'schoolId'],
  search: ['title', 'isbn', 'shelf', 'schoolId'],
  sort: 'title',
  find: ['title', 'isbn'],
})

/** How lists of books are understood, as libraries and shops write them. */
export const bookImport = importOf(book, {
  columns: {
    title: ['题名', '正题名', '图书名称', '书籍名称', '名称', 'book', 'book title', 'name'],
    isbn: ['ISBN号', 'ISBN书号', '标准书号', '书号', '条码'],
    callNo: ['索取号', '分类号', '排架号', 'call no', 'shelfmark'],
    shelf: ['架位', '所在书架', '书架名称', '馆藏地'],
    copies: ['数量', '本数', '复本', '复本数', '复本量', '馆藏数量', 'qty', 'quantity'],
    price: ['单价', '价格', '定价元', '单价元'],
    remark: ['说明', 'note', 'notes'],
  },
  example: { title: '西游记', isbn: '978-7-02-000873-5', shelf: '文学', copies: '3', price: '47.20' },
})
