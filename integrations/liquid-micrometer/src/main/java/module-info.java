/** What a scheduler does, as meters of Micrometer. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer has no descriptor
module io.github.liquidscheduler.micrometer {
  requires transitive io.github.liquidscheduler.api;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.micrometer;
}
