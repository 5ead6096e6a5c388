/** One plain mail address, as it can stand in a header: no name, no list, no line break, nothing that is not ASCII. */
import { z } from 'zod'

export const mailAddress = z.email().max(254)
