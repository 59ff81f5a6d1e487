@preconcurrency import CMagick
func f() { MagickWandGenesis() }
