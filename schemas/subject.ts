/** The subject of a token, by which a member is known. */

/** OpenID Connect: at most 255 ASCII characters. What begins as a key's name would be taken for one in the audit log; `.` and `..` no address can end in. */
export const subjectForm = /^(?!key:|\.{1,2}$)[\x21-\x7e]{1,255}$/
