/** The commands that train, evaluate and query resource models. */
@NullMarked
package io.github.liquidscheduler.cli.resources;

import org.jspecify.annotations.NullMarked;
