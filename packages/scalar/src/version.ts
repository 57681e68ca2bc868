/** The version of Scalar in this package. It is part of the script's URL, so that browsers may keep the script. */
export const SCALAR_VERSION = "1.76.3";
