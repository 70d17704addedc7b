import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'

/** The code of a page could not be loaded: the server is unreachable, or it now serves a newer version of the pages. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded.', { cause })
  }
}

/**
 * A page whose code is loaded when it is first opened. For the browser's own import error the router assumes a new version and
 * reloads the window, which would leave the application while the server is down; this error goes to the error page instead.
 */
export const lazyPage = <N extends string>(load: () => Promise<Record<N, RouteComponent>>, name: N) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new PageNotLoaded(error)
      }),
    name,
  )
