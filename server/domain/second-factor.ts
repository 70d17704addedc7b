/**
 * The detail of the error that a sign-in gets after a correct password without a code. The web interface recognises it, to ask
 * for the code; both import it from here, so that neither can be reworded without the other.
 */
export const CODE_NEEDED = 'Enter the code of your second factor.'
