/** How long to wait after the last keystroke before a preview is requested. */
export const PREVIEW_DELAY_MS = 600
