import type { Svg } from './matrix-svg.ts'

/** Sharp on screens with two pixels per point. */
const SCALE = 2
/** Browsers draw no larger images. */
const MAX_PIXELS = 100_000_000
const MAX_SIDE = 16_000

/** A PNG of an image. */
export async function pngOf({ text, width, height }: Svg): Promise<Blob> {
  const scale = Math.min(SCALE, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)))
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image(width, height)
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.floor(width * scale)
    canvas.height = Math.floor(height * scale)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser cannot create images.')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is too large.'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}
