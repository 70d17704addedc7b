import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'

/** Says that the code of a page did not come: the server is away, or it has a newer version of the pages by now. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded.', { cause })
  }
}

/**
 * A page whose code is loaded when it is first opened. The router takes the browser's own error for a sign of a new version
 * and reloads the window, which leaves the application while the server is away; this one it hands to the error page.
 */
export const lazyPage = <N extends string>(load: () => Promise<Record<N, RouteComponent>>, name: N) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new PageNotLoaded(error)
      }),
    name,
  )
