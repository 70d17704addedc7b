/** Whether a field contains object ids, which must not be defanged: a defanged id refers to nothing. */
export const isIdField = (name: string): boolean => name === 'id' || name === 'idref' || /_(?:id|refs?)$/.test(name)
