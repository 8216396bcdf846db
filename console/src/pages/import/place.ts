/** Where users are imported: no entry of a menu leads there, the list of users does. */
export const userImportPath = '/system/user/import'
