import CGIO
func f() { g_free(nil) }
