/** Whether a field names objects by their ids, which are of use only as they are: defanged, they would be ids of nothing. */
export const isIdField = (name: string): boolean => name === 'id' || name === 'idref' || /_(?:id|refs?)$/.test(name)
