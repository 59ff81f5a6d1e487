// PluginLoader
