/** The title of the error when a password was right and a code is needed. Clients ask for the code when they see it. */
export const CODE_NEEDED = 'Second factor required'
